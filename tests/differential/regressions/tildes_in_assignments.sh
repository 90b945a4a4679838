HOME=/h; z=
rec x=~ x=a:~ --x=~ 1=~ a[0]=~ x+=~ make:~ x=a:~/b:c "x"=~ x=~:~ x=:~ $y=~ x$y=~ x='a':~ x=a=~ x=a=b:~
y=a:~ ; rec $y; y=$y:~/q; rec $y; y="a":~; rec $y; y=${z-~}:~; rec $y; export k=a:~ ; rec $k; y=~/a=~; rec $y; y=~"a"; rec $y; y=b\:~; rec $y; a=(x=~ ~ q:~); rec "${a[@]}"; y="x:"~; rec $y; y=~:; rec $y;  y=$z~; rec $y; y=~:~; rec $y ; y=~/x:~; rec $y
