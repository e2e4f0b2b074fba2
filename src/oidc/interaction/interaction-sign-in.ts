import { z } from 'zod'
import type { Database } from '../../../prisma/connection/database.ts'
import { findSession } from '../../auth/session-credential.ts'
import type { SessionCredential } from '../../auth/session-credential.ts'
import type { CookiePorts } from '../../web/cookies.ts'
import type { CsrfTokens } from '../../web/csrf.ts'
import { confirmAccountAt, signInAt } from '../../web/page-paths.ts'
import { toAmr } from '../amr.ts'
import { secondsAhead } from '../process-clock.ts'
import { ownProofReason } from '../provider/prompts.ts'
import { changePrompt, signedCookies } from '../provider/provider-internals.ts'
import { bindToBrowser } from './browser.ts'
import { formatInteractionPath, InvalidFormError, switchAccountReason } from './interaction-request.ts'
import type { InteractionRequest } from './interaction-request.ts'

export interface SignInPorts extends CookiePorts {
  database: Database
  /** Name of the session cookie. */
  sessionCookie: string
}

/** Details of a login prompt, as src/oidc/provider/prompts.ts and `restart` set them. */
const loginDetails = z.object({
  /** Milliseconds since 1970. Earlier sign-ins do not count. */
  since: z.number(),
})

const switchForm = z.object({ csrf: z.string().catch('') })

/** Finds the session of a user who has signed in since the interaction requested it; null if there is none. */
export async function findSignIn(
  { database, sessionCookie, now }: SignInPorts,
  { provider, interaction, request, response }: Omit<InteractionRequest, 'client'>,
): Promise<SessionCredential | null> {
  const value = signedCookies(provider, request, response).get(sessionCookie, { signed: true })
  const session = await findSession(database.pool, value, now())
  if (isForOwnProof(interaction)) return session?.principal.signIns?.isLimited === false ? session : null
  const { since } = loginDetails.parse(interaction.prompt.details)
  return session && session.authenticatedAt.getTime() >= since ? session : null
}

/** Returns true if the user only has to confirm the account in the session, which can be older than the prompt. */
const isForOwnProof = ({ prompt: { reasons } }: InteractionRequest['interaction']) => reasons.length === 1 && reasons[0] === ownProofReason

/** The sign-in step of an interaction. The page is part of the account site, which sends the user back here. */
export function createSignIn({ csrfTokens, ...ports }: SignInPorts & { csrfTokens: CsrfTokens }) {
  const { now } = ports
  return {
    /** Continues if the user has signed in since the prompt. Otherwise redirects to the sign-in page. */
    async show(interactionRequest: InteractionRequest): Promise<void> {
      const { provider, interaction, request, response } = interactionRequest
      const session = await findSignIn(ports, interactionRequest)
      if (!session) {
        await bindToBrowser(ports, interaction, request, response)
        const path = formatInteractionPath(interaction)
        return response.redirect(303, isForOwnProof(interaction) ? confirmAccountAt(path) : signInAt(path))
      }
      const { authenticatedAt } = session
      const ts = Math.floor(authenticatedAt.getTime() / 1000) - secondsAhead(now)
      const login = { accountId: session.principal.user.id, amr: toAmr(session.methods), ts }
      await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false })
    },

    /** "Use another account": prompts for a sign-in again. The current user stays signed in until another user signs in. */
    async restart({ interaction, request, response }: InteractionRequest): Promise<void> {
      const { csrf } = switchForm.parse(request.body ?? {})
      if (!csrfTokens.isValid(csrf, 'switch', interaction.uid)) throw new InvalidFormError()
      const details = { ...interaction.prompt.details, since: now().getTime() } satisfies z.output<typeof loginDetails>
      await changePrompt(interaction, { name: 'login', reasons: [switchAccountReason], details })
      response.redirect(303, formatInteractionPath(interaction))
    },
  }
}
