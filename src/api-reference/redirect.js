// The redirect URI of a loopback address cannot contain `localhost`, but the reference is open there. It can read the code only
// from a window of its own origin.
const { origin } = JSON.parse(document.documentElement.dataset.settings)
if (location.origin !== origin) location.replace(origin + location.pathname + location.search)
