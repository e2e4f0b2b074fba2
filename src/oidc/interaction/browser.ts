import type { Request, Response } from 'express'
import { z } from 'zod'
import { sha256 } from '../../../schema/core/sha256.ts'
import { ensureBrowserId, findBrowserId, createCookies } from '../../web/cookies.ts'
import type { CookiePorts } from '../../web/cookies.ts'
import { changePrompt } from '../provider/provider-internals.ts'
import type { Interaction } from '../provider/provider-internals.ts'

// The browser in which an interaction waits for a sign-in. The cookie of an interaction is sent only to its own page, because of its path.
// The sign-in pages of the account site recognise the browser by its identifier.

/** Detail of a login prompt: the SHA-256 of the identifier of the browser, in base64url. */
const browserDetails = z.object({ browser: z.string().optional() })

const calculateHash = (browserId: string): string => sha256(browserId).toString('base64url')

/** Records that the interaction waits in the browser of this request, which has its cookie. */
export async function bindToBrowser(ports: CookiePorts, interaction: Interaction, request: Request, response: Response): Promise<void> {
  const browser = calculateHash(ensureBrowserId(createCookies(ports, request, response)))
  if (browserDetails.parse(interaction.prompt.details).browser !== browser)
    await changePrompt(interaction, { details: { ...interaction.prompt.details, browser } })
}

/** Returns true if the interaction waits in the browser of this request. */
export function isBoundToBrowser(ports: CookiePorts, interaction: Interaction, request: Request, response: Response): boolean {
  const id = findBrowserId(createCookies(ports, request, response))
  return id !== undefined && browserDetails.parse(interaction.prompt.details).browser === calculateHash(id)
}
