import { useLook } from '../brand/look.ts'
import { apiReferencePath, graphiqlPath } from '../page-paths.ts'

/** Links that every page ends with. */
export function Footer() {
  const { brand } = useLook()
  const links = [
    [brand.termsUrl, 'Terms'],
    [brand.privacyUrl, 'Privacy'],
    [brand.support && `mailto:${brand.support}`, 'Support'],
    [apiReferencePath, 'API reference'],
    [graphiqlPath, 'GraphiQL'],
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
