import { Name } from '../../web/components/name.tsx'
import { signInAt } from '../../web/page-paths.ts'

/** Where a browser is sent at a provider. */
export interface Destination {
  url: string
  providerName: string
  teamName: string
  returnTo: string
}

/** The host of a URL. Letters of other scripts are in Punycode, so that no host looks like another. */
export const hostOf = ({ url }: Pick<Destination, 'url'>): string => new URL(url).host

/**
 * Names the host of a provider before the browser is sent there. The link contains the request, which expires after ten minutes. Afterwards the
 * answer is refused on a page that leads back here.
 */
export const UntrustedHost = ({ url, providerName, teamName, returnTo, serviceName }: Destination & { serviceName: string }) => (
  <>
    <p>
      The team <Name>{teamName}</Name> signs its members in through <Name>{providerName}</Name>, which is at{' '}
      <strong>{hostOf({ url })}</strong>.
    </p>
    <p class="caution">
      Anybody can create a team and enter any name and site. This team has not verified a domain. Continue only if you know the site, and do
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
