import { z } from 'zod'
import type { Database } from '../../../prisma/client.ts'
import { DomainError } from '../../../schema/errors.ts'
import type { Seal } from '../../account-site/csrf.ts'
import { SignInPage } from '../../account-site/sign-in.tsx'
import { guesserOf } from '../../guesses.ts'
import type { Guesses } from '../../guesses.ts'
import { verifyPassword } from './password.ts'
import { endSession } from './end-session.ts'
import { pathOf, Refused, show, stepPath } from './asked.ts'
import type { Asked } from './asked.ts'

interface SignInPorts {
  database: Database
  guesses: Guesses
  seal: Seal
  now(): Date
  report(error: unknown): void
}

const form = z.object({ csrf: z.string().catch(''), email: z.string().catch(''), password: z.string().catch('') })

/** Where a person says who they are. */
export function createSignIn({ database, guesses, seal, now, report }: SignInPorts) {
  const page = ({ interaction, client }: Asked, email: string, alert?: string) =>
    SignInPage({
      action: stepPath(interaction, 'sign-in'),
      hidden: { csrf: seal.of('sign-in', interaction.uid) },
      clientName: client.name,
      email,
      alert,
    })

  return {
    show(asked: Asked): void {
      const { prompt, params } = asked.interaction
      const hint = prompt.reasons.includes(anotherAccount) ? null : params['login_hint']
      show(asked, page(asked, typeof hint === 'string' ? hint : ''))
    },

    async submit(asked: Asked): Promise<void> {
      const { provider, interaction, request, response } = asked
      const { csrf, email, password } = form.parse(request.body ?? {})
      if (!seal.isRight(csrf, 'sign-in', interaction.uid)) throw new Refused()
      // As an account's address is compared: however it is written, it counts as one.
      const [address, account] = [guesserOf(request.ip), email.trim().toLowerCase()]
      try {
        // The address first: one that is out of guesses uses up nobody's account.
        await guesses.signInAddress.attempt(address)
        await guesses.signInAccount.attempt(account)
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error
        const seconds = error.details.retryAfterSeconds ?? 1
        response.set('Retry-After', String(seconds))
        return show(asked, page(asked, email, `Too many attempts. Try again in ${inMinutes(seconds)}.`), 429)
      }
      const userId = await verifyPassword(database, email, password)
      if (userId === null) return show(asked, page(asked, email, 'The email address or password is not right.'), 422)
      await Promise.all([guesses.signInAddress.forgive(address), guesses.signInAccount.clear(account)])

      const { session } = interaction
      if (session && session.accountId !== userId) {
        interaction.session = undefined
        await interaction.persist()
        await endSession(provider, session.uid, report)
      }
      const login = { accountId: userId, amr: ['pwd'], ts: Math.floor(now().getTime() / 1000) }
      await provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false })
    },

    /** Goes back to signing in, within the same interaction. Who is signed in stays so until somebody else is. */
    async restart({ interaction, request, response }: Asked): Promise<void> {
      const { csrf } = form.parse(request.body ?? {})
      if (!seal.isRight(csrf, 'switch', interaction.uid)) throw new Refused()
      interaction.prompt = { name: 'login', reasons: [anotherAccount], details: {} }
      await interaction.persist()
      response.redirect(303, pathOf(interaction))
    },
  }
}

const anotherAccount = 'another_account'

function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
