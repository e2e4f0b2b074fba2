import { useLook } from '../brand/look.ts'

/** Links at the end of every page. */
export function Footer() {
  const { brand } = useLook()
  const links = [
    [brand.termsUrl, 'Terms'],
    [brand.privacyUrl, 'Privacy'],
    [brand.support && `mailto:${brand.support}`, 'Support'],
  ]
  return (
    <footer>
      <ul>
        {links.map(
          ([address, label]) =>
            address && (
              <li>
                <a href={address}>{label}</a>
              </li>
            ),
        )}
      </ul>
    </footer>
  )
}
