import type { IdentityProvider, IdentityProviderKind } from '../../../prisma/generated/client/client.ts'
import type { Context } from '../../core/context.ts'
import { socialNames } from '../../core/social-clients.ts'
import { parse, refused } from '../../core/validation.ts'
import { brokenNameRule, normalizeName } from '../../oauth/team-clients/name-rules.ts'
import { readIssuer } from '../issuer.ts'
import { providerRules } from '../rules.ts'

type OptionalText = string | null | undefined

/** The settings in the input of a mutation. */
interface SettingsInput {
  name?: OptionalText
  issuer?: OptionalText
  clientId?: OptionalText
  clientSecret?: OptionalText
  metadata?: OptionalText
  groupsClaim?: OptionalText
  jitRole?: OptionalText
}

type StoredSettings = Pick<IdentityProvider, 'name' | 'issuer' | 'clientId' | 'ssoUrl' | 'certificates' | 'groupsClaim' | 'jitRole'>

/** The settings as they are stored, except that the secret is plain text. */
type Settings = StoredSettings & { clientSecret: string | null }

/** Validates the settings of a new provider. Reads the metadata of an OpenID provider, which must be that of the issuer. */
export async function newSettings(context: Context, kind: IdentityProviderKind, input: SettingsInput): Promise<Settings> {
  refuseForeign(kind, input)
  const noOptional = { groupsClaim: null, jitRole: null }
  const none = { issuer: '', clientId: null, clientSecret: null, ssoUrl: null, certificates: [] }
  if (kind === 'saml') {
    const { metadata, ...common } = parse(providerRules.saml, { ...noOptional, ...input })
    requireProviderName(common.name, context.brandName)
    return { ...none, ...common, ...(await readSamlMetadata(metadata, context)) }
  }
  const settings = parse(providerRules.oidc, { ...noOptional, clientSecret: null, ...input })
  requireProviderName(settings.name, context.brandName)
  return { ...none, ...settings, issuer: await readIssuer(context, settings.issuer) }
}

/** Validates the changed settings of a provider. An absent one remains unchanged, and so does null where a value is required. */
export async function changedSettings(context: Context, current: IdentityProvider, input: SettingsInput): Promise<Partial<Settings>> {
  refuseForeign(current.kind, input)
  const changes = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== undefined && (value !== null || optional.has(name))),
  )
  if (current.kind === 'saml') {
    const { metadata, ...common } = parse(providerRules.saml.partial(), changes)
    requireNewName(context, current, common.name)
    return { ...common, ...(metadata !== undefined && (await readSamlMetadata(metadata, context))) }
  }
  const settings = parse(providerRules.oidc.partial(), changes)
  requireNewName(context, current, settings.name)
  const hasOtherIssuer = settings.issuer !== undefined && settings.issuer !== current.issuer
  return hasOtherIssuer ? { ...settings, issuer: await readIssuer(context, settings.issuer ?? '') } : settings
}

/** A name that is older than these rules does not prevent other changes. */
function requireNewName({ brandName }: Context, { name: currentName }: IdentityProvider, name = currentName): void {
  if (name !== currentName) requireProviderName(name, brandName)
}

// Reads the metadata. The XML parser is not loaded at the start (docs/decisions/memory.md#starts).
const readSamlMetadata = async (xml: string, context: Context) => (await import('../saml/metadata.ts')).parseSamlMetadata(xml, context)

const optional = new Set(['clientSecret', 'groupsClaim', 'jitRole'])

/** The settings that only the other kind of provider has. */
const foreign = { oidc: ['metadata'], saml: ['issuer', 'clientId', 'clientSecret'] } as const
const protocols = { oidc: 'OpenID Connect', saml: 'SAML' } as const

function refuseForeign(kind: IdentityProviderKind, input: SettingsInput): void {
  const names = foreign[kind].filter((name) => input[name] != null)
  const message = `The :attribute field is not a setting of ${protocols[kind]}.`
  if (names.length > 0) throw refused(Object.fromEntries(names.map((name) => [name, [message]])))
}

/**
 * Throws if the name on the buttons of the sign-in pages could be mistaken for this service, or for a public provider by a similar
 * spelling. A name such as “Google” itself is common, because organizations have accounts there.
 */
function requireProviderName(name: string, brandName: string): void {
  const imitated = Object.values(socialNames).find(
    (providerName) => normalizeName(providerName) === normalizeName(name) && providerName.toLowerCase() !== name.toLowerCase(),
  )
  const rule = brokenNameRule(name, brandName) ?? (imitated === undefined ? null : `look like ${imitated} in other characters`)
  if (rule !== null) throw refused({ name: [`The :attribute field must not ${rule}.`] })
}
