f() { local va=x vb; rec "${!v@}"; }; vb=1; f; va=2; f; unset vb; f
g() { local vz; f; }; g
