import { z } from 'zod'
import { displayName, emailAddress, invalidChoice, text } from '../core/validation.ts'
import { pictureFile } from '../pictures/stored-picture.ts'
import { isSupportedTimezone, timezones } from './timezones.ts'

/** The properties of a team that can be changed (docs/decisions/resources.md#updates). */
export const teamRules = {
  name: displayName.describe('The team’s display name.'),
  timezone: z
    .enum(timezones)
    .refine(isSupportedTimezone, invalidChoice)
    .meta({ id: 'Timezone', description: 'IANA name of a time zone.' })
    .nullable()
    .describe('IANA time zone, or null for none.'),
  gravatarEmail: emailAddress.nullable().describe('Email address that resolves the team’s avatar, or null for none.'),
}

/** Rule of a slug: lower-case words joined by single hyphens, which are safe in a path and have one spelling. */
export const teamSlug = text
  .min(1, { abort: true })
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'The :attribute field must be lower-case letters, digits and single hyphens.')

export const teamUpdateRules = z.object({ ...teamRules, logo: pictureFile }).partial()

/** The properties of a new team that an operator may set. */
export const operatorCreateRules = z.object({
  slug: teamSlug,
  name: teamRules.name,
  timezone: teamRules.timezone.optional(),
  owner: emailAddress.nullish(),
})

// Slugs with which a link would look like a page or the staff of this service. Operators may use them.
const reservedSlugs = new Set(
  'account accounts admin administrator api app apps assets auth billing code demo docs graphql help internal invitation invitations invoices login logout new oauth official operator owner root second-factor security settings sign-in sign-out sign-up staff status support system team teams undefined null www'.split(
    ' ',
  ),
)

/** The properties of a new team that a user may set. */
export const personCreateRules = operatorCreateRules.extend({
  slug: teamSlug.min(3).refine((slug) => !reservedSlugs.has(slug), { message: 'The :attribute is reserved.' }),
})

const maxLength = 64

/** Proposes a slug: `Köhler & Söhne` becomes `kohler-sohne`. Returns an empty text for a name without Latin letters and digits. */
export const slugOfName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('\u00DF', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-|-$/g, '')
