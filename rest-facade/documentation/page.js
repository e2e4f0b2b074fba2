globalThis.SwaggerUIBundle({
  url: '/api/openapi.json',
  domNode: document.getElementById('documentation'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The validator would be asked at an address of its maker.
  validatorUrl: null,
})
