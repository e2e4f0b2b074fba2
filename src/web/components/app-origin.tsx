import { Name } from './address.tsx'

export interface AppOriginProps {
  publisher: string | null
  /** True if the operator has verified the publisher. */
  verified: boolean
  clientUri: string | null
  policyUri: string | null
  tosUri: string | null
}

/** The publisher of a connected app, its verification by the operator, and links to the pages of the app. */
export const AppOrigin = ({ publisher, verified, ...links }: AppOriginProps) => (
  <>
    <p>
      {publisher === null ? (
        'Unknown publisher'
      ) : (
        <>
          By <Name>{publisher}</Name>
        </>
      )}{' '}
      <span class={verified ? 'badge good' : 'badge'}>{verified ? 'Verified' : 'Not verified'}</span>
    </p>
    <AppLinks {...links} />
  </>
)

/** The links to the pages of an app. */
export const AppLinks = ({ clientUri, policyUri, tosUri }: Pick<AppOriginProps, 'clientUri' | 'policyUri' | 'tosUri'>) => {
  const links = [
    { label: 'Website', address: clientUri },
    { label: 'Privacy policy', address: policyUri },
    { label: 'Terms of service', address: tosUri },
  ].flatMap(({ label, address }) => (address === null ? [] : [{ label, address }]))
  return (
    links.length > 0 && (
      <p>
        {links.map(({ label, address }, index) => (
          <>
            {index > 0 && ' · '}
            {/* The link opens a new tab, because leaving the page would lose a request for access. */}
            <a href={address} target="_blank" rel="noopener noreferrer">
              {label}
            </a>
          </>
        ))}
      </p>
    )
  )
}
