import { openApiDocument } from '../../rest-facade/openapi.ts'
import { readConfig } from '../config.ts'
import { command } from './command.ts'

export const openapi = command({
  name: 'openapi',
  about: 'Prints the OpenAPI document of the REST interface, with the addresses of the present settings. Needs no database.',
  run: async () => {
    const { authUrl, flowBaseUrl } = readConfig()
    const document = openApiDocument({ publicUrl: authUrl, flowBaseUrl })
    return { value: document, text: JSON.stringify(document, null, 2) }
  },
})
