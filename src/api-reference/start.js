// Starts Scalar, which renders the OpenAPI document. Every option that would send a request to another server is off.
const { dataset } = document.documentElement
const { origin, libraryPath, client, title } = JSON.parse(dataset.settings)

/** The languages without request samples. Shown are those of curl, Node, Python and PHP, with the clients that most programs use. */
const hiddenLanguages = 'c clojure csharp dart fsharp go http java js julia kotlin objc ocaml powershell r ruby rust swift'.split(' ')
const hiddenClients = {
  ...Object.fromEntries(hiddenLanguages.map((name) => [name, true])),
  shell: ['httpie', 'wget'],
  node: ['axios', 'ofetch'],
  python: ['aiohttp', 'httpx_sync', 'httpx_async'],
  php: ['laravel'],
}

async function start() {
  await import(libraryPath)
  window.Scalar.createApiReference('#reference', {
    url: '/api/openapi.json',
    theme: 'default',
    forceDarkModeState: dataset.theme,
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    modelsSectionLabel: 'Schemas',
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    setPageTitle: ({ title: section }) => (section ? `${section} · ${title}` : title),
    hiddenClients,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    authentication: {
      // One field for a token, which users paste or obtain by signing in.
      preferredSecurityScheme: 'personalToken',
      securitySchemes: {
        oauth2: {
          flows: {
            authorizationCode: {
              'x-usePkce': 'SHA-256',
              'x-scalar-client-id': client.clientId,
              'x-scalar-redirect-uri': client.redirectUri,
              selectedScopes: client.selectedScopes,
            },
          },
        },
      },
    },
  })
}

// The page, its requests and the theme cookie must have the same origin.
if (location.origin !== origin) location.replace(origin + location.pathname + location.search + location.hash)
else await start()
