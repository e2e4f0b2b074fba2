import { z } from 'zod'
import { refused } from '../../../schema/core/validation.ts'
import { Name } from '../../web/components/address.tsx'
import { ListCard } from '../../web/components/lists/list-card.tsx'
import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { quoteName } from '../../web/display-name.ts'
import { identitiesPath, securityPath } from '../../web/page-paths.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { explainRefusal } from '../providers/refused-sign-in.tsx'
import { BeginProviderSignInDocument, ExternalIdentitiesDocument, UnlinkIdentityDocument } from '../generated/operations.ts'
import type { ExternalIdentitiesQuery } from '../generated/operations.ts'
import { IdentityDetails } from './identity-details.tsx'

/** The accounts at identity providers through which the user can sign in. */
export const linkedAccounts = page({
  path: identitiesPath,
  title: 'Linked accounts',
  parent: securityPath,
  document: ExternalIdentitiesDocument,
  forms: {
    link: form({
      fields: z.object({ provider: text }),
      document: BeginProviderSignInDocument,
      variables: ({ provider }) => ({ input: { provider, purpose: 'LINK' as const, returnTo: identitiesPath } }),
      onSuccess({ beginProviderSignIn: { url, providerName, failure, refusal } }, _, { provider: providerKey }) {
        if (url !== null) return url
        throw refused({ provider: [explainRefusal({ providerKey, providerName, failure: failure ?? 'PROVIDER', refusal: refusal ?? '' })] })
      },
    }),
    unlink: form({
      fields: z.object({ id: text }),
      document: UnlinkIdentityDocument,
      variables: (input) => ({ input }),
      notice: ({ unlinkIdentity: { identity } }) => `You can no longer sign in through ${quoteName(identity.providerName)}.`,
      renewsSession: true,
    }),
  },
  view({ viewer: { externalIdentities, linkableProviders } }, ctx) {
    // The response to the form of a provider is a redirect to the provider.
    ctx.forms.leadToClient = true
    return (
      <>
        <p>Your accounts at other services through which you can sign in here, such as your account at your company.</p>
        <ListCard
          id="identities"
          total={externalIdentities.length}
          noun={['linked account', 'linked accounts']}
          empty={describeEmptyList(linkableProviders.length > 0)}
        >
          {externalIdentities.map((identity) => (
            <Identity {...identity} />
          ))}
        </ListCard>
        {linkableProviders.length > 0 && (
          <section>
            <h2>Link an account</h2>
            {linkableProviders.some(({ teamName }) => teamName !== null) && (
              <p>
                Whoever manages the sign-in of a team can also sign in as you, but only to that team. If that team created your account,
                they can also open its settings.
              </p>
            )}
            <ul class="entries" id="providers">
              {linkableProviders.map(({ key, name, teamName }) => (
                <li>
                  <div>
                    <Name>{name}</Name>
                    {teamName !== null && (
                      <p class="hint">
                        Team <Name>{teamName}</Name>
                      </p>
                    )}
                  </div>
                  <Form name="link" hidden={{ provider: key }}>
                    <Button kind="second">
                      Link<span class="visually-hidden"> {name}</span>
                    </Button>
                  </Form>
                </li>
              ))}
            </ul>
          </section>
        )}
      </>
    )
  },
})

const describeEmptyList = (canLink: boolean) =>
  canLink ? 'Link an account below to sign in through it.' : 'There is nothing to link, because your teams have no identity provider.'

type LinkedIdentity = ExternalIdentitiesQuery['viewer']['externalIdentities'][number]

const Identity = ({ id, ...identity }: LinkedIdentity) => (
  <li>
    <IdentityDetails {...identity} />
    <Form name="unlink" hidden={{ id }}>
      <Button kind="second">
        Remove<span class="visually-hidden"> {identity.providerName}</span>
      </Button>
    </Form>
  </li>
)
