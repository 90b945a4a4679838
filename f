func 
