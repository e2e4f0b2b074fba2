import { readConfig } from '../../config/settings.ts'
import { command } from '../command.ts'
import { currentTerminal } from '../terminal/terminal.ts'

export const openapi = command({
  name: 'openapi',
  summary: 'Print the OpenAPI document of the REST API',
  description: 'The addresses in the document come from the current settings. Does not use the database.',
  run: async () => {
    const { authUrl, flowBaseUrl } = readConfig(currentTerminal().settings)
    // This module is imported on demand, because it compiles the GraphQL document of every route, which no other command needs.
    const { openApiDocument } = await import('../../../rest-facade/openapi/document.ts')
    const document = openApiDocument({ publicUrl: authUrl, flowBaseUrl })
    return { value: document, text: JSON.stringify(document, null, 2) }
  },
})
