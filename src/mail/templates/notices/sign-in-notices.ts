import { formatDate, formatDateTime } from '../../../web/time-format.ts'
import { identitiesPath } from '../../../web/page-paths.ts'
import { nameInSubject } from '../../names.ts'
import { sentence, who } from './notice-text.ts'
import type { NoticeText, NoticeTexts } from './notice-text.ts'

/** Ending of a notice with instructions for owners about the domain of a team. */
const aboutDomain = (team: string, slug: string): Pick<NoticeText, 'link' | 'ending' | 'reason'> => ({
  link: { lead: 'View the TXT record:', button: 'View the domains', path: `/teams/${slug}/sign-in/domains` },
  ending: 'If the team no longer uses the domain, you can ignore this email.',
  reason: sentence`you are an owner of the team \u201c${team}\u201d`,
})

const ofMember = (team: string) => sentence`you are a member of the team \u201c${team}\u201d`

/** The notices about the ways in which members of a team sign in. */
export const signInNotices = {
  'sign-in-required': ({ team, slug, provider, from }, { recipient }) => ({
    subject: `${nameInSubject(team)}: sign-in through ${nameInSubject(provider)} required from ${formatDate(from, recipient)}`,
    event: sentence`The team \u201c${team}\u201d requires you to sign in through ${provider} from ${formatDateTime(from, recipient)}. Until you do, you, your personal tokens and the apps that you connected cannot access the team. Nothing else changes.`,
    link: { lead: 'Sign in:', button: `Continue to ${nameInSubject(provider)}`, path: `/sign-in/${slug}` },
    ending: 'If you do not need access to the team, you can ignore this email.',
    reason: ofMember(team),
  }),
  'sign-in-not-required': ({ team, slug, provider }) => ({
    subject: `${nameInSubject(team)}: sign-in through ${nameInSubject(provider)} no longer required`,
    event: sentence`The team \u201c${team}\u201d no longer requires you to sign in through ${provider}.`,
    link: { lead: 'Open the team:', button: 'Open the team', path: `/teams/${slug}` },
    ending: 'If you expected this, you can ignore this email.',
    reason: ofMember(team),
  }),
  'linked-provider-changed': ({ team, name }, context) => ({
    subject: `${nameInSubject(team)}: identity provider ${nameInSubject(name)} changed`,
    event: sentence`${who(context)} changed the issuer, the client or the certificate of the identity provider \u201c${name}\u201d, which belongs to the team \u201c${team}\u201d. You can sign in to your account through this identity provider. At your next sign-in through it, you are asked to confirm that the account is yours, unless the team created it.`,
    saysWho: true,
    link: { lead: 'See how you can sign in:', button: 'View linked accounts', path: identitiesPath },
    ending: 'If you no longer want to sign in through this identity provider, remove it from your linked accounts.',
    reason: sentence`your account is linked with an identity provider of the team \u201c${team}\u201d`,
  }),
  'owner-access': ({ team, slug }, context) => ({
    subject: `${nameInSubject(team)}: opened with a passkey`,
    event: sentence`${who(context)} opened the team \u201c${team}\u201d with a passkey, without the sign-in through its identity provider that it requires.`,
    saysWho: true,
    link: { lead: 'View the audit log:', button: 'View the audit log', path: `/teams/${slug}/audit` },
    ending:
      context.by === null
        ? 'If this was not you, delete the passkey and change your password.'
        : 'If you did not expect this, ask this owner for the reason.',
    reason: sentence`you are an owner of the team \u201c${team}\u201d`,
  }),
  'domain-missing': ({ team, slug, domain, until }, { recipient }) => ({
    subject: `${nameInSubject(team)}: TXT record of ${domain} missing`,
    event: sentence`The TXT record that verifies the domain ${domain} of the team \u201c${team}\u201d was not found. The record is checked daily. If it is still missing on ${formatDateTime(until, recipient)}, the domain is no longer verified. An email address in this domain then no longer requires a member to sign in through the identity provider of the team.`,
    ...aboutDomain(team, slug),
  }),
  'domain-lost': ({ team, slug, domain }) => ({
    subject: `${nameInSubject(team)}: domain ${domain} no longer verified`,
    event: sentence`The domain ${domain} of the team \u201c${team}\u201d is no longer verified, because its TXT record was missing for 14 days. An email address in this domain no longer requires a member to sign in through the identity provider of the team. Publish the record and verify the domain again.`,
    ...aboutDomain(team, slug),
  }),
  'address-moved': ({ team, slug, email }) => ({
    subject: `${nameInSubject(team)}: ${nameInSubject(email)} belongs to a new account`,
    event: sentence`The identity provider or the directory of the team \u201c${team}\u201d says that the email address ${email} now belongs to another person. That person got a new account with this email address. The previous account no longer has the email address and keeps everything else.`,
    link: { lead: 'View the audit log:', button: 'View the audit log', path: `/teams/${slug}/audit` },
    ending: 'If the email address still belongs to the same person, correct the identity provider or the directory.',
    reason: sentence`you are an owner of the team \u201c${team}\u201d`,
  }),
} satisfies Partial<NoticeTexts>
