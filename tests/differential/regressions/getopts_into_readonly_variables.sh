( readonly vo=1; set -- -a -b; getopts ab vo; rec $? $OPTIND; getopts ab vo; rec $? $OPTIND;  getopts ab vo; rec $? $OPTIND )
( readonly OPTARG=1; set -- -a x -b; getopts a:b vo; rec $? $OPTIND $vo; getopts a:b vo; rec $? $OPTIND $vo "$OPTARG" )
( readonly OPTIND=1; set -- -a x -b; getopts a:b vo; rec $? $OPTIND $vo; getopts a:b vo; rec $? $OPTIND $vo )
