import { readConfig } from '../config.ts'
import { command } from './command.ts'

export const openapi = command({
  name: 'openapi',
  about: 'Prints the OpenAPI document of the REST interface, with the addresses of the present settings. Needs no database.',
  run: async () => {
    const { authUrl, flowBaseUrl } = readConfig()
    // Loaded here alone: the façade compiles every route’s document, which no other command needs.
    const { openApiDocument } = await import('../../rest-facade/openapi.ts')
    const document = openApiDocument({ publicUrl: authUrl, flowBaseUrl })
    return { value: document, text: JSON.stringify(document, null, 2) }
  },
})
