import { readReturnAddress } from '../../web/return-address.ts'
import { signInAt } from '../../web/page-paths.ts'
import { BeginProviderSignInDocument, SignInProvidersDocument } from '../generated/operations.ts'
import type { SignInProvidersQuery } from '../generated/operations.ts'
import { siteOperation } from '../framework/operation.ts'
import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { findRequestingClient } from '../sign-in/requesting-client.ts'
import { startAt } from './paths.ts'
import { ProviderLinks } from './provider-links.tsx'
import { getRefusalStatus, getRefusalTitle, SignInRefusal } from './refused-sign-in.tsx'
import type { RefusedSignIn } from './refused-sign-in.tsx'
import { Name } from '../../web/components/address.tsx'

const signInProviders = siteOperation(SignInProvidersDocument)
const begin = siteOperation(BeginProviderSignInDocument)

type Offered = SignInProvidersQuery['signInProviders']

/** The enabled providers of the team that verified the domain of an address. */
export const providersOfAddress = async (ctx: PageContext, email: string): Promise<Offered> =>
  (await signInProviders.run({ email }, ctx)).signInProviders

const getHint = ({ query }: PageContext): string | undefined => query.get('login_hint') ?? undefined

/** Redirects to the provider of a team. A team without a provider and an unknown team both redirect to the ordinary sign-in page. */
export const teamSignIn = page({
  path: '/sign-in/:slug',
  title: 'Sign in',
  isPublic: true,
  async load(ctx) {
    const { signInProviders: providers } = await signInProviders.run({ team: ctx.param('slug') }, ctx)
    const [provider, ...others] = providers
    if (!provider) return signInAt(readReturnAddress(ctx))
    if (others.length === 0) return startAt(provider.key, { returnTo: readReturnAddress(ctx), loginHint: getHint(ctx) })
    return { providers }
  },
  view: ({ providers }, ctx) => <ProviderLinks providers={providers} returnTo={readReturnAddress(ctx)} loginHint={getHint(ctx)} isUsual />,
})

const purposes = { confirm: 'CONFIRM', test: 'TEST' } as const
const isPurpose = (text: string): text is keyof typeof purposes => Object.hasOwn(purposes, text)

const isDestination = (data: Destination | RefusedSignIn): data is Destination => 'url' in data

/** Redirects the browser to a provider. Linking starts with a form instead, so that no other site can start it. */
export const startSignIn = page({
  path: '/sign-in/start/:provider',
  async load(ctx): Promise<string | Destination | RefusedSignIn> {
    const providerKey = ctx.param('provider')
    const returnTo = readReturnAddress(ctx)
    const text = ctx.query.get('purpose') ?? ''
    const purpose = isPurpose(text) ? purposes[text] : ('SIGN_IN' as const)
    if (purpose !== 'SIGN_IN' && !ctx.person) return signInAt(ctx.url)
    // A client that demands another sign-in would not accept one that the provider did not request.
    const client = ctx.person && (await findRequestingClient(ctx))
    const reauthenticates = client !== null && !client.isSignedIn
    const input = { provider: providerKey, purpose, returnTo, loginHint: getHint(ctx), reauthenticates }
    const { url, refusal, failure, providerName, teamName, isHostTrusted } = (await begin.run({ input }, ctx)).beginProviderSignIn
    if (url !== null && isHostTrusted) return url
    return url === null
      ? { providerKey, providerName, purpose, returnTo, failure: failure ?? 'PROVIDER', refusal: refusal ?? '' }
      : { url, providerName, teamName: teamName ?? '', returnTo }
  },
  title: (data) => (isDestination(data) ? `Continue to ${getHost(data)}?` : getRefusalTitle(data)),
  isPublic: true,
  status: (data) => (isDestination(data) ? undefined : getRefusalStatus(data)),
  view: (data, { site }) => (isDestination(data) ? <UntrustedHost {...data} serviceName={site.brand.name} /> : <SignInRefusal {...data} />),
})

/** Destination of the browser at a provider. */
interface Destination {
  url: string
  providerName: string
  teamName: string
  returnTo: string
}

/** Returns the host of a URL. Letters of other scripts are in Punycode, so that no host imitates another. */
const getHost = ({ url }: Pick<Destination, 'url'>): string => new URL(url).host

/**
 * Shows the host of a provider before the browser is sent there. The link contains the request, which expires after ten minutes. A later
 * response is refused on a page that leads back here.
 */
const UntrustedHost = ({ url, providerName, teamName, returnTo, serviceName }: Destination & { serviceName: string }) => (
  <>
    <p>
      The team <Name>{teamName}</Name> signs its members in through <Name>{providerName}</Name>, which is at{' '}
      <strong>{getHost({ url })}</strong>.
    </p>
    <p class="caution">
      Anyone can create a team and enter any name and site. This team has not verified a domain. Continue only if you know the site, and do
      not enter your password of <Name>{serviceName}</Name> there.
    </p>
    <div class="buttons">
      <a class="button" href={url}>
        Continue
      </a>
    </div>
    <p>
      <a href={signInAt(returnTo)}>Sign in another way</a>
    </p>
  </>
)
