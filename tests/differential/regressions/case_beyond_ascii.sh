va=é vb=Z; rec "${va^^$vb}" "${va^^[a-z]}" "${va,,x}" "${va^q}" "${va~~z}"; va=éaZ; rec "${va^^a}" "${va,,Z}"; ia=(${va^^$vb} =~); rec $((ia[1]))
rec $?
