import { z } from 'zod'
import { getErrorMessage } from '../../config/error-message.ts'
import type { Check, CheckProblem } from './check.ts'

const timeoutMilliseconds = 10_000
const discovery = z.object({ issuer: z.string() })

/** The check runs only in production, because the service may not be running during development. */
export const publicAddressCheck: Check = {
  name: 'address',
  description: 'in production, AUTH_URL reaches this service, and the proxy passes Host',
  async run({ config: { nodeEnv, authUrl } }) {
    return nodeEnv === 'production' ? checkAddress(authUrl) : []
  },
}

async function checkAddress(authUrl: string): Promise<CheckProblem[]> {
  const url = `${authUrl}/.well-known/openid-configuration`
  let response: Response
  try {
    response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMilliseconds) })
  } catch (error) {
    const reason = error instanceof Error && error.cause !== undefined ? getErrorMessage(error.cause) : getErrorMessage(error)
    return [{ problem: `${url} cannot be reached: ${reason}`, action: 'start the service; check DNS, the certificate and the proxy' }]
  }
  const { status } = response
  if (status === 421)
    return [
      {
        problem: `${url} responds with 421: the proxy changes Host`,
        action: 'configure the proxy to pass the Host header field unchanged',
      },
    ]
  if (status !== 200) return [{ problem: `${url} responds with ${status}`, action: 'configure the proxy to pass all paths to the service' }]
  const document = discovery.safeParse(await response.json().catch(() => undefined))
  if (document.success && document.data.issuer === authUrl) return []
  return [
    {
      problem: `${url} is of ${document.success ? `the issuer ${document.data.issuer}` : 'another service'}`,
      action: 'set AUTH_URL of the service and of this command to the same address',
    },
  ]
}
