const { clientId, redirectUri } = document.documentElement.dataset

// The redirect page calls back into this page, so both need the same origin.
const { origin } = new URL(redirectUri)
if (location.origin !== origin) location.replace(origin + location.pathname + location.search + location.hash)

const ui = globalThis.SwaggerUIBundle({
  url: '/api/openapi.json',
  domNode: document.getElementById('documentation'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  oauth2RedirectUrl: redirectUri,
  // The validator would send the document to a third party.
  validatorUrl: null,
})
ui.initOAuth({ clientId, scopes: ['openid', 'teams'], usePkceWithAuthorizationCodeGrant: true })
