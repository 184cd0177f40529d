// From a folder no page may read another one, so there are no excerpts to show, and nothing should ask for them.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
