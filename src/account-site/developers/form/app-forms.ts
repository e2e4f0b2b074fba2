import { z } from 'zod'
import { invalid } from '../../../../schema/core/errors.ts'
import { mapByType, separateOperatorMembers } from '../../../../schema/oauth/clients/map-members.ts'
import { checkbox, list, optionalText, seconds, text } from '../../framework/field-types.ts'
import { isKind, kinds } from './app-kinds.ts'
import { readTickedScopes } from './scope-table.tsx'
import { form } from '../../framework/form.ts'
import { siteOperation } from '../../framework/operation.ts'
import type { PageContext } from '../../framework/page-context.ts'
import {
  DeleteTeamClientDocument,
  DeveloperAppSecretsDocument,
  RotateTeamClientSecretDocument,
  SubmitTeamClientDocument,
  UpdateTeamClientDocument,
} from '../../generated/operations.ts'
import { quoteName } from '../../../web/display-name.ts'
import { newestSecret, rotatedSecretPage } from '../secrets.tsx'

const teamMode = z.enum(['NONE', 'OPTIONAL', 'REQUIRED']).catch('REQUIRED')

/** A list of URIs, one in each line. */
const uris = text.transform((value) => value.split(/\s+/).filter(Boolean))

export const newAppFields = z.object({ name: text, kind: text, redirectUris: uris, scopes: list, requiredScopes: list, teamMode })

/** Returns the input that registers a new app. */
export function newAppInput({ kind, scopes, requiredScopes, ...fields }: z.output<typeof newAppFields>) {
  if (!isKind(kind)) throw invalid({ kind: ['Choose a kind.'] })
  const { confidential, grantTypes } = kinds[kind]
  return { ...fields, confidential, grantTypes: [...grantTypes], ...readTickedScopes(scopes, requiredScopes, grantTypes) }
}

const [teamMembers] = separateOperatorMembers(
  mapByType({
    uri: () => optionalText,
    name: () => optionalText,
    uris: () => uris,
    number: () => seconds,
    flag: () => checkbox,
    algorithm: () => text,
    keySet: () => optionalText,
  }),
)

const settingsFields = z.object({
  name: text,
  description: optionalText,
  redirectUris: uris,
  grantTypes: list,
  scopes: list,
  requiredScopes: list,
  teamMode,
  ...teamMembers,
})

/** Returns the input that changes an app. Every member is sent, because an empty field removes the value. */
const settingsInput = ({ scopes, requiredScopes, ...fields }: z.output<typeof settingsFields>) => ({
  ...fields,
  ...readTickedScopes(scopes, requiredScopes, fields.grantTypes),
})

const getId = (ctx: PageContext) => ctx.param('client')

const update = form({
  fields: settingsFields,
  document: UpdateTeamClientDocument,
  variables: (fields, ctx) => ({ input: { clientId: getId(ctx), ...settingsInput(fields) } }),
  notice: ({ updateTeamClient: { client } }) =>
    client.proposedChanges.length > 0 ? 'The app was saved. Some changes are waiting for review.' : 'The app was saved.',
})

/** Adds a redirect URI. The form sends all of them. */
const addRedirectUri = form({
  fields: z.object({ redirectUris: uris }),
  document: UpdateTeamClientDocument,
  variables: ({ redirectUris }, ctx) => ({ input: { clientId: getId(ctx), redirectUris } }),
  notice: ({ updateTeamClient: { client } }) =>
    client.proposedChanges.some(({ member }) => member === 'redirectUris')
      ? 'The redirect URI is waiting for review.'
      : 'The redirect URI was added.',
})

const submit = form({
  fields: z.object({}),
  document: SubmitTeamClientDocument,
  variables: (_, ctx) => ({ input: { clientId: getId(ctx) } }),
  notice: ({ submitTeamClient: { client } }) =>
    client.state === 'LISTED'
      ? 'The app is published. Everyone can connect it.'
      : 'The app was submitted. You will get an email when it has been reviewed.',
})

const secretsOfApp = siteOperation(DeveloperAppSecretsDocument)
const rotate = form({
  fields: z.object({ overlapSeconds: seconds, newest: text }),
  document: RotateTeamClientSecretDocument,
  // Reloading the page with the secret submits the form again, which would end the overlap of the previous secret.
  async guard({ newest }, ctx) {
    const { team } = await secretsOfApp.run({ team: ctx.param('team'), client: getId(ctx) }, ctx)
    if (newest !== newestSecret(team.client.secrets))
      throw invalid({ newest: ['The secret was already rotated, and the new one is not shown again.'] })
  },
  variables: ({ overlapSeconds }, ctx) => ({ input: { clientId: getId(ctx), overlapSeconds } }),
  onSuccess: ({ rotateTeamClientSecret }, ctx) => rotatedSecretPage(rotateTeamClientSecret, ctx.path),
})

const remove = form({
  fields: z.object({}),
  document: DeleteTeamClientDocument,
  variables: (_, ctx) => ({ input: { clientId: getId(ctx) } }),
  notice: ({ deleteTeamClient: { client } }) => `The app ${quoteName(client.name)} was deleted.`,
  onSuccess: (_, ctx) => `/teams/${ctx.param('team')}/developers`,
})

/** The forms of the pages of an app. */
export const reviewForms = { submit }
export const quickStartForms = { addRedirectUri }
export const appSettingsForms = { update, rotate, delete: remove }
