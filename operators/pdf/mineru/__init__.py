"""The loader of what MinerU writes, versions 1 to 4."""
