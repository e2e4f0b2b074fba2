import { useLook } from '../brand/look.ts'
import { initialsOf } from '../display-name.ts'

/** The logo and the name of the product, as a link to the start page. */
export function BrandLink() {
  const { brand, logoPath } = useLook()
  return (
    <a class="brand" href="/">
      {logoPath === null ? (
        <span class="logo" aria-hidden="true">
          {initialsOf(brand.name).slice(0, 1)}
        </span>
      ) : (
        <img class="logo" src={logoPath} alt="" width="32" height="32" />
      )}
      <span>{brand.name}</span>
    </a>
  )
}
