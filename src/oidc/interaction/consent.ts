import { errors } from 'oidc-provider'
import { z } from 'zod'
import type { Database } from '../../../prisma/client.ts'
import { scopes } from '../../../schema/scopes.ts'
import { ConsentPage } from '../../account-site/consent.tsx'
import type { Seal } from '../../account-site/csrf.ts'
import { giveGrant } from '../storage/grant.ts'
import { redirectUri, Refused, show, stepPath } from './asked.ts'
import type { Asked } from './asked.ts'
import { choose, findOffer, fingerprint, suggest } from './offer.ts'
import type { Offer } from './offer.ts'

interface ConsentPorts {
  database: Database
  seal: Seal
  now(): Date
}

const form = z.object({
  csrf: z.string().catch(''),
  /** Seal of the offer that the form was shown for. */
  offer: z.string().catch(''),
  decision: z.enum(['allow', 'deny']).nullable().catch(null),
  /** A slug, or empty for none in particular; null for what the form does not send: none at all, or several. */
  team: z.string().nullable().catch(null),
  scope: z.union([z.string().transform((scope) => [scope]), z.array(z.string())]).catch([]),
})

const denied = { error: 'access_denied', error_description: 'End-User denied access' }

/** Where a person decides what a client may do, and for which team. */
export function createConsent({ database, seal, now }: ConsentPorts) {
  async function offerOf({ interaction, client }: Asked): Promise<Offer> {
    const { session, params } = interaction
    const offer = session && (await findOffer(database, client, session.accountId, params['scope']))
    if (!offer) throw new errors.SessionNotFound('the person is gone')
    return offer
  }

  async function showOffer(asked: Asked, offer: Offer, status?: number, alert?: string): Promise<void> {
    const { interaction, client } = asked
    const { team, declined } = await suggest(database, offer, now())
    const page = ConsentPage({
      action: stepPath(interaction, 'consent'),
      hidden: {
        csrf: seal.of('consent', interaction.uid, offer.person.id),
        offer: seal.of('offer', interaction.uid, fingerprint(offer)),
      },
      clientName: client.name,
      clientDescription: client.description,
      returnsTo: placeOf(redirectUri(interaction)),
      required: offer.required.map((scope) => scopes[scope].words),
      optional: offer.optional.map((scope) => ({ scope, words: scopes[scope].words, isChecked: !declined.includes(scope) })),
      teams: offer.teams && { isRequired: client.team === 'required', options: offer.teams, selected: team },
      alert,
      account: {
        email: offer.person.email,
        switchAction: stepPath(interaction, 'switch'),
        switchHidden: { csrf: seal.of('switch', interaction.uid) },
      },
    })
    show(asked, page, status)
  }

  return {
    show: async (asked: Asked): Promise<void> => showOffer(asked, await offerOf(asked)),

    async submit(asked: Asked): Promise<void> {
      const { provider, interaction, client, request, response } = asked
      const offer = await offerOf(asked)
      const answer = form.parse(request.body ?? {})
      if (!seal.isRight(answer.csrf, 'consent', interaction.uid, offer.person.id)) throw new Refused()
      if (answer.decision === 'deny') return provider.interactionFinished(request, response, denied)
      // What was shown is what is written (decisions §8): what has changed meanwhile is shown anew.
      if (!seal.isRight(answer.offer, 'offer', interaction.uid, fingerprint(offer)))
        return showOffer(asked, offer, 409, 'Something has changed meanwhile. Look at it again.')
      const choice = choose(offer, { team: answer.team, scopes: answer.scope })
      if (!choice || answer.decision !== 'allow') throw new Refused()
      if (choice.granted.length === 0) return provider.interactionFinished(request, response, denied)
      const decision = { userId: offer.person.id, oauthClientId: client.id, ...choice }
      const grantId = await giveGrant(database.pool, decision, now())
      await provider.interactionFinished(request, response, { consent: { grantId } })
    },
  }
}

/** Where people are told that they will be sent: a host, or a scheme that an application on their machine answers to. */
function placeOf(uri: string | null): string | null {
  if (uri === null) return null
  const { host, protocol } = new URL(uri)
  return host || protocol.slice(0, -1)
}
