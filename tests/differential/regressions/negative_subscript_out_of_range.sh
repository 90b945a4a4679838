rec a${ia[-2]}b; ia=(1); rec "${ia[-3]}" ${ia[-1]}
