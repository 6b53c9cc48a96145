"""Which files belong together: from two arguments to pairs, by the names of files, lists and tables."""
