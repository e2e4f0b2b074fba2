import { staffOnly } from '../../../schema/core/requires.ts'
import { picturePath } from '../../../schema/pictures/picture-url.ts'
import { useLook, themes } from '../../web/brand/look.ts'
import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Menu } from '../../web/components/menus.tsx'
import { StrongAddress, Name } from '../../web/components/address.tsx'
import { Avatar } from '../../web/components/avatar.tsx'
import { accountPath, apiReferencePath, graphiqlPath, staffPath } from '../../web/page-paths.ts'
import type { PageContext } from '../framework/page-context.ts'

const themeNames = { system: 'System', light: 'Light', dark: 'Dark' } as const

/** The menu of the signed-in user: account, theme, documentation and sign-out. */
export function AccountMenu({ ctx: { signedIn: person, supportSession, site, isAllowed } }: { ctx: PageContext }) {
  const { theme } = useLook()
  return (
    person && (
      <Menu
        id="account"
        class="person popup"
        button={
          <>
            <span class="visually-hidden">Your account: </span>
            <Avatar of="person" size="small" name={person.user.name} picture={picturePath(person.pictureId)} />
            <Name>{person.user.name}</Name>
          </>
        }
      >
        <p>
          Signed in as
          <br />
          <StrongAddress>{person.user.email}</StrongAddress>
        </p>
        <Form name="theme">
          <fieldset>
            <legend>Theme</legend>
            {themes.map((each) => (
              <button type="submit" class="second" name="theme" value={each} aria-pressed={each === theme}>
                {themeNames[each]}
              </button>
            ))}
          </fieldset>
        </Form>
        <ul>
          <li>
            <a href={accountPath}>Your profile</a>
          </li>
          {(supportSession !== null || isAllowed([staffOnly])) && (
            <li>
              <a href={staffPath}>Support desk</a>
            </li>
          )}
          <li>
            <a href={apiReferencePath}>API reference</a>
          </li>
          {site.hasGraphiql && (
            <li>
              <a href={graphiqlPath}>GraphiQL</a>
            </li>
          )}
        </ul>
        <Form name="sign-out">
          <Button kind="second">Sign out</Button>
        </Form>
      </Menu>
    )
  )
}
