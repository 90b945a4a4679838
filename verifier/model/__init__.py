"""The values that travel from readers to reports; nothing here reads or prints anything."""
