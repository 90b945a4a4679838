va=$(cat) <<EOF
body
EOF
rec "$va"
