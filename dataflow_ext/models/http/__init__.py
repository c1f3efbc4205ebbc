"""HTTP/1.1 connections to model servers."""
