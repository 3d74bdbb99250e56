"""What changed between two versions, in a maker's words, and what that means for the games that players have saved."""
