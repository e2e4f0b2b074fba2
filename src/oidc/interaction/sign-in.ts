import type { Database } from '../../../prisma/client.ts'
import { cookieOf, findSession } from '../../session-credential.ts'
import type { Seal } from '../../account-site/csrf.ts'
import { signInAt } from '../../account-site/addresses.ts'
import { anotherAccount, pathOf, Refused } from './asked.ts'
import type { Asked } from './asked.ts'

interface SignInPorts {
  database: Database
  sessionCookie: string
  seal: Seal
  now(): Date
}

/** Where a person has to say who they are: at the account site, from which they come back. */
export function createSignIn({ database, sessionCookie, seal, now }: SignInPorts) {
  return {
    /** Goes on with whoever has signed in since that was asked for; else leads to the sign-in page. */
    async show({ provider, interaction, request, response }: Asked): Promise<void> {
      const session = await findSession(database.pool, cookieOf(request.headers.cookie, sessionCookie), now())
      const { since } = interaction.prompt.details as { since: number }
      if (!session || session.principal.authenticatedAt.getTime() < since) return response.redirect(303, signInAt(pathOf(interaction)))
      const { user, authenticatedAt } = session.principal
      const login = { accountId: user.id, amr: session.methods, ts: Math.floor(authenticatedAt.getTime() / 1000) }
      await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false })
    },

    /** Goes back to signing in, within the same interaction. Who is signed in stays so until somebody else is. */
    async restart({ interaction, request, response }: Asked): Promise<void> {
      const { csrf } = (request.body ?? {}) as { csrf?: unknown }
      if (typeof csrf !== 'string' || !seal.isRight(csrf, 'switch', interaction.uid)) throw new Refused()
      interaction.prompt = { name: 'login', reasons: [anotherAccount], details: { since: now().getTime() } }
      await interaction.persist()
      response.redirect(303, pathOf(interaction))
    },
  }
}
