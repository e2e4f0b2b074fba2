import { z } from 'zod'
import { refused } from '../../../schema/core/validation.ts'
import { Address, Name } from '../../web/components/address.tsx'
import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import { quoteName } from '../../web/display-name.ts'
import { identitiesPath, securityPath } from '../../web/page-paths.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { BeginProviderSignInDocument, ExternalIdentitiesDocument, UnlinkIdentityDocument } from '../generated/operations.ts'
import type { ExternalIdentitiesQuery } from '../generated/operations.ts'

/** The accounts at identity providers through which the user can sign in. */
export const connectedAccounts = page({
  path: identitiesPath,
  title: 'Connected accounts',
  parent: securityPath,
  document: ExternalIdentitiesDocument,
  forms: {
    connect: form({
      fields: z.object({ provider: text }),
      document: BeginProviderSignInDocument,
      variables: ({ provider }) => ({ input: { provider, purpose: 'LINK' as const, returnTo: identitiesPath } }),
      onSuccess({ beginProviderSignIn: { url, refusal } }) {
        if (url === null) throw refused({ provider: [refusal ?? ''] })
        return url
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
        <p>You can sign in to your account through these accounts at other services.</p>
        <section>
          {externalIdentities.length === 0 ? (
            <p class="empty">No connected accounts.</p>
          ) : (
            <ul class="entries" id="identities">
              {externalIdentities.map((identity) => (
                <Identity {...identity} />
              ))}
            </ul>
          )}
        </section>
        {linkableProviders.length > 0 && (
          <section>
            <h2>Connect an account</h2>
            {linkableProviders.some(({ teamName }) => teamName !== null) && (
              <p>
                The administrators of a team and of its identity provider can sign in as you to this team. They cannot reach your other
                teams that way, nor the settings of your account unless the team created it.
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
                  <Form name="connect" hidden={{ provider: key }}>
                    <Button kind="second">
                      Connect<span class="visually-hidden"> {name}</span>
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

type LinkedIdentity = ExternalIdentitiesQuery['viewer']['externalIdentities'][number]

const Identity = ({ id, providerName, teamName, email, createdAt, lastSignInAt }: LinkedIdentity) => (
  <li>
    <div>
      <Name>{providerName}</Name>
      <p class="hint">
        {teamName !== null && (
          <>
            Team <Name>{teamName}</Name>
            <br />
          </>
        )}
        {email !== null && (
          <>
            <Address>{email}</Address>
            <br />
          </>
        )}
        Last sign-in <RelativeTime at={lastSignInAt} />, connected on <Day at={createdAt} />
      </p>
    </div>
    <Form name="unlink" hidden={{ id }}>
      <Button kind="second">
        Remove<span class="visually-hidden"> {providerName}</span>
      </Button>
    </Form>
  </li>
)
