import { expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { runCli } from '../support/service/cli.ts'

test('the openapi command prints the OpenAPI document of the service without a database', async () => {
  const env = {
    AUTH_URL: 'https://accounts.example.com',
    FLOW_BASE_URL: 'https://flow.example.com/api/v1',
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
  }
  const document = openApiDocument({ publicUrl: env.AUTH_URL, flowBaseUrl: env.FLOW_BASE_URL })
  const [text, json] = await Promise.all([runCli(env, ['openapi']), runCli(env, ['openapi', '--json'])])
  expect(text).toEqual({ status: 0, stdout: `${JSON.stringify(document, null, 2)}\n`, stderr: '' })
  expect(json).toEqual({ status: 0, stdout: `${JSON.stringify(document)}\n`, stderr: '' })
})
