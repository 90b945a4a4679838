for vi in ${#vc} $(basename -3); do rec i "$vi"; done; rec end
while read -r l; do rec w "$l"; rec q; done < <(nosuchcommand)
rec e
for x in $(nosuchcommand); do rec i; rec j; done; rec end
