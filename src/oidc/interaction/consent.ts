import { errors } from 'oidc-provider'
import { z } from 'zod'
import type { Ports } from '../../../schema/core/ports.ts'
import { DomainError } from '../../../schema/core/errors.ts'
import { allowsChanges, scopes } from '../../../schema/core/scopes.ts'
import { ConsentPage } from '../pages/consent.tsx'
import { NotPublishedPage } from '../pages/not-published.tsx'
import { refusedForm } from '../../web/components/forms/form.tsx'
import type { RefusedForm } from '../../web/components/forms/form.tsx'
import type { CsrfTokens } from '../../web/csrf.ts'
import type { FailureLog } from '../failures/failure-log.ts'
import { confirmAccountAt, teamSignInAt } from '../../web/page-paths.ts'
import { readBrowser } from '../request-context.ts'
import { getUserCode } from '../provider/device-internals.ts'
import { saveDecision } from './save-decision.ts'
import { formatFormAction, formatInteractionPath, InvalidFormError, getRedirectUri, sendInteractionPage } from './interaction-request.ts'
import type { InteractionRequest } from './interaction-request.ts'
import { decideConsent, findConsentRequest, findInitialChoice, fingerprint, teamOptions } from './consent-request.ts'
import type { ConsentRequest } from './consent-request.ts'

interface ConsentPorts extends Pick<Ports, 'database' | 'now' | 'providerSignInDays' | 'sendMail'> {
  csrfTokens: CsrfTokens
  failureLog: Pick<FailureLog, 'record'>
}

const consentForm = z.object({
  csrf: z.string().catch(''),
  /** Token of the consent request for which the form was shown. */
  consentRequest: z.string().catch(''),
  decision: z.enum(['allow', 'deny']).nullable().catch(null),
  /** The team. Empty if no team is selected yet. Null if the form has no team, or several. */
  team: z.string().nullable().catch(null),
  scope: z.union([z.string().transform((scope) => [scope]), z.array(z.string())]).catch([]),
})

/** Reason for which the page is shown again. */
interface ShownAgain {
  status?: number
  alert?: string
  refused?: RefusedForm
}

const accessDenied = { error: 'access_denied', error_description: 'End-User denied access' }

/** The consent page: the user decides which scopes a client gets, and for which team. */
export function createConsent({ database, csrfTokens, now, providerSignInDays, sendMail, failureLog }: ConsentPorts) {
  const clock = { now, providerSignInDays }
  async function loadConsentRequest({ interaction, client }: InteractionRequest): Promise<ConsentRequest> {
    const { session, params } = interaction
    const consentRequest = session && (await findConsentRequest(database, client, session, params['scope'], clock))
    if (!consentRequest) throw new errors.SessionNotFound('the user of the session no longer exists')
    return consentRequest
  }

  async function sendConsentPage(
    interactionRequest: InteractionRequest,
    consentRequest: ConsentRequest,
    { status, alert, refused }: ShownAgain = {},
  ): Promise<void> {
    const { interaction, client } = interactionRequest
    const { user, required, optional, teams, teamsWithoutTwoFactor, teamsWithoutSignIn, isLimited, draft } = consentRequest
    const initial = await findInitialChoice(database, consentRequest, await findLastGrantId(interactionRequest), clock)
    const page = ConsentPage({
      action: formatFormAction(interaction, 'consent'),
      hidden: {
        csrf: csrfTokens.of('consent', interaction.uid, user.id),
        consentRequest: csrfTokens.of('consent request', interaction.uid, fingerprint(consentRequest)),
      },
      app: client,
      isByUrl: client.source === 'metadata',
      clientDescription: client.description,
      clientOrigin: client,
      returnsTo: getDestination(getRedirectUri(interaction)),
      required: required.map((scope) => scopes[scope].label),
      optional: optional.map((scope) => ({
        value: scope,
        label: scopes[scope].label,
        allowsChanges: allowsChanges(scope),
        isGranted: initial.granted.has(scope),
      })),
      teams:
        teams &&
        teamOptions(consentRequest).map(({ value, team }) => ({
          value,
          team,
          isConnected: initial.connectedTeamIds.has(team?.id ?? null),
        })),
      teamsWithoutTwoFactor: teamsWithoutTwoFactor.map(({ name }) => name),
      teamsWithoutSignIn: teamsWithoutSignIn.map(({ slug, name }) => ({
        name,
        path: teamSignInAt(slug, formatInteractionPath(interaction)),
      })),
      otherTeamsPath: isLimited ? confirmAccountAt(formatInteractionPath(interaction)) : null,
      initialTeam: initial.team,
      initialScopes: initial.scopes,
      userCode: getUserCode(interaction) ?? null,
      refused,
      alert,
      account: toAccount(interactionRequest, consentRequest),
      draftTeam: draft?.team ?? null,
    })
    sendInteractionPage(interactionRequest, page, status)
  }

  /** Returns the account of the user, and the form that switches to another account. */
  const toAccount = ({ interaction }: InteractionRequest, { user }: ConsentRequest) => ({
    email: user.email,
    switchAction: formatFormAction(interaction, 'switch'),
    switchHidden: { csrf: csrfTokens.of('switch', interaction.uid) },
  })

  /** Refuses a user who cannot connect an unlisted client. The browser does not return to the client. */
  function refuseDraft(interactionRequest: InteractionRequest, consentRequest: ConsentRequest): void {
    const { client } = interactionRequest
    failureLog.record(client.clientId, { cause: 'not_a_member', sent: '' })
    const account = toAccount(interactionRequest, consentRequest)
    sendInteractionPage(interactionRequest, NotPublishedPage({ account, host: client.source === 'metadata' ? client.name : null }), 403)
  }

  /** Returns true if a grant would reach the account, but the session only some teams. A team can have been joined since the sign-in. */
  const lacksOwnProof = ({ teams, isLimited }: ConsentRequest) => teams === null && isLimited
  const requestOwnProof = ({ interaction, response }: InteractionRequest) =>
    response.redirect(303, confirmAccountAt(formatInteractionPath(interaction)))

  return {
    async show(interactionRequest: InteractionRequest): Promise<void> {
      const consentRequest = await loadConsentRequest(interactionRequest)
      if (consentRequest.draft?.isMember === false) return refuseDraft(interactionRequest, consentRequest)
      if (lacksOwnProof(consentRequest)) return requestOwnProof(interactionRequest)
      return sendConsentPage(interactionRequest, consentRequest)
    },

    async submit(interactionRequest: InteractionRequest): Promise<void> {
      const { provider, interaction, request, response } = interactionRequest
      const consentRequest = await loadConsentRequest(interactionRequest)
      const form = consentForm.parse(request.body ?? {})
      if (!csrfTokens.isValid(form.csrf, 'consent', interaction.uid, consentRequest.user.id)) throw new InvalidFormError()
      if (consentRequest.draft?.isMember === false) return refuseDraft(interactionRequest, consentRequest)
      if (form.decision === 'deny') return provider.interactionFinished(request, response, accessDenied)
      if (lacksOwnProof(consentRequest)) return requestOwnProof(interactionRequest)
      // The user's decision is about the contents of the page (docs/decisions/oauth.md#scopes-and-consent). If they have changed since, the
      // page is shown again.
      if (!csrfTokens.isValid(form.consentRequest, 'consent request', interaction.uid, fingerprint(consentRequest)))
        return sendConsentPage(interactionRequest, consentRequest, {
          status: 409,
          alert: 'Something changed in the meantime. Check the details again.',
        })
      const decision = decideConsent(consentRequest, { team: form.team, scopes: form.scope })
      if (!decision || form.decision !== 'allow') throw new InvalidFormError()
      if (decision instanceof DomainError)
        return sendConsentPage(interactionRequest, consentRequest, {
          status: 422,
          refused: refusedForm('consent', form, decision),
        })
      // The device is not connected, so the app gets no access either. The provider shows the reason.
      if (await isDeviceGone(interactionRequest)) return provider.interactionFinished(request, response, {})
      if (decision.granted.length === 0) return provider.interactionFinished(request, response, accessDenied)
      const { requestId } = response.locals
      const grantId = await saveDecision({ database, now, sendMail, requestId }, consentRequest, decision, readBrowser(request))
      await provider.interactionFinished(request, response, { consent: { grantId, declined: decision.declined } })
    },
  }
}

/** Returns the identifier of the grant that the session used last for the client. */
async function findLastGrantId({ provider, interaction, client }: InteractionRequest): Promise<string | undefined> {
  const session = interaction.session && (await provider.Session.findByUid(interaction.session.uid))
  return session?.authorizations?.[client.clientId]?.grantId
}

/** Returns true if a device waited for the decision, and its code has expired or was decided on by another user or in another tab. */
async function isDeviceGone({ provider, interaction: { deviceCode } }: InteractionRequest): Promise<boolean> {
  if (deviceCode === undefined) return false
  const code = await provider.DeviceCode.find(deviceCode)
  return !code || code.isExpired || code.error !== undefined || code.accountId !== undefined
}

/** Returns the host that the page shows as the destination, or the private-use scheme of an application on the user's device. */
function getDestination(uri: string | null): string | null {
  if (uri === null) return null
  const { host, protocol } = new URL(uri)
  return host || protocol.slice(0, -1)
}
