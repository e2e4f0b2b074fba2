import { z } from 'zod'
import type { CodeRequest } from '../../../schema/core/browser-session.ts'
import { jsonCookie } from './json-cookie.ts'

/**
 * The last request of a sign-in code in this browser, so that a code works only in the browser that requested it. It is stored as long as the
 * code is valid, or until someone signs in.
 */
export const {
  find: findCodeRequest,
  save: saveCodeRequest,
  clear: clearCodeRequest,
} = jsonCookie<CodeRequest>('code-request', 600, z.object({ linkId: z.string(), email: z.string() }))
