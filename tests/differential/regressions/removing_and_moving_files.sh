echo a > out.txt
rm out.txt && rec removed
[ -e out.txt ] || rec gone
cat out.txt 2>/dev/null || rec nocat
va=$(< out.txt) || rec nofile "$va"
read -r va < out.txt || rec noread
rm out.txt 2>/dev/null || rec again
rm -f out.txt && rec forced
echo b > out.txt; mv out.txt new.txt; [ -f out.txt ] || rec moved; rec "$(cat new.txt)"
echo c > out.txt; mv -f out.txt new.txt && rec "$(< new.txt)"
cp new.txt copy.txt && rec "$(< copy.txt)"; echo d > new.txt; rec "$(< copy.txt)" "$(< new.txt)"
mkdir dd; [ -d dd ] && rec dir; [ -f dd ] || rec notfile
mv copy.txt dd; rec "$(< dd/copy.txt)"; [ -e copy.txt ] || rec moved
cp new.txt dd/; cp dd/new.txt dd/copy.txt .; rec "$(< copy.txt)"
cp dd ee 2>/dev/null || rec nodir; cp -r dd ee; rec "$(< ee/new.txt)"
mv ee ff; rec "$(< ff/new.txt)"; [ -d ee ] || rec noee
rm dd 2>/dev/null || rec isdir; rm -rf dd; [ -d dd ] || rec nodd; [ -e dd/copy.txt ] || rec nocopy
cp nosuch x.txt 2>/dev/null || rec nosrc
touch new.txt; rec "$(< new.txt)"; rm -f t.txt; touch t.txt; [ -s t.txt ] || rec empty
echo 1 > g1.log; echo 2 > g2.txt; rm -f *.log; [ -e g1.log ] || rec globbed; rec "$(< g2.txt)"
rm -f g?.txt; [ -e g2.txt ] || rec globbed2
echo x > z.txt; rm -- z.txt; [ -e z.txt ] || rec dashes
mkdir -p p/q/r; [ -d p/q ] && rec parent
echo x > l.txt; ln -s l.txt m.txt; rec "$(cat m.txt)"; rec "$(cat l.txt)"
mv l.txt nofolder/ 2>/dev/null || rec nofolder
