import { copyScript } from '../../web/components/copy-button.tsx'
import { Fact, Facts } from '../../web/components/facts.tsx'
import { Buttons } from '../../web/components/forms/button.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { SignInProviderDocument } from '../generated/operations.ts'
import type { SignInProviderQuery } from '../generated/operations.ts'
import { addressValues, CopiedValues } from './copied-value.tsx'
import { getTestAddress, providerPage, providerPath } from './provider-page.tsx'
import { nextStep, protocolAndHost } from './provider-state.tsx'

type Provider = SignInProviderQuery['team']['identityProvider']

/** An identity provider: its state, the test sign-in, and the values to enter there. */
export const signInProvider = page({
  ...providerPage,
  path: providerPath,
  scripts: [copyScript],
  document: SignInProviderDocument,
  view: ({ team: { identityProvider } }, ctx) => (
    <>
      <StateSection provider={identityProvider} ctx={ctx} />
      <section>
        <h2>At your identity provider</h2>
        <p>Enter these URLs of this service there, exactly as they are.</p>
        <CopiedValues values={addressValues(identityProvider)} />
      </section>
    </>
  ),
})

const StateSection = ({ provider, ctx }: { provider: Provider; ctx: PageContext }) => {
  const step = nextStep(provider)
  return (
    <section>
      {step !== null && <p class="caution">{step}</p>}
      <Facts isNarrow>
        <Fact name="Protocol">{protocolAndHost(provider)}</Fact>
        <Fact name="Users">{provider.linkedUsers.toLocaleString('en')}</Fact>
        <Fact name="Last sign-in">
          <RelativeTime at={provider.lastSignInAt} />
        </Fact>
        <Fact name="Last successful test">
          {provider.testedAt === null ? 'None since the last change' : <RelativeTime at={provider.testedAt} />}
        </Fact>
        <Fact name="Created">
          <RelativeTime at={provider.createdAt} />
        </Fact>
      </Facts>
      {provider.disabledAt === null && (
        <>
          <p>
            A test signs you in at the identity provider and shows what it says about you. It changes neither your account nor your sign-in
            here.
          </p>
          <Buttons>
            <a class={provider.testedAt === null ? 'button' : 'button second'} href={getTestAddress(ctx)}>
              Test sign-in
            </a>
          </Buttons>
        </>
      )}
    </section>
  )
}
