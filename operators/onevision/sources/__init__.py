"""Where rows come from: records, their turns and tags, and their pictures."""
