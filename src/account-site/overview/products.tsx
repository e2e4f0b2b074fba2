import type { PageContext } from '../framework/page-context.ts'
import type { OverviewQuery } from '../generated/operations.ts'
import { productNames } from '../labels.ts'
import { getAppLink, mayUse } from '../team/applications.tsx'

type App = OverviewQuery['used']['apps']['nodes'][number]

/** The products of the team that the member may use, each with a link to it if it has one. */
export const Products = ({ apps, ctx }: { apps: readonly App[]; ctx: PageContext }) => {
  const usable = apps.filter((app) => mayUse(app, ctx))
  // Users with the billing role need no product.
  if (usable.length === 0 && ctx.team?.role === 'billing') return null
  return (
    <section aria-labelledby="products">
      <h2 id="products">Your products</h2>
      {usable.length === 0 ? (
        <p class="empty">You have no products in this team yet.</p>
      ) : (
        <ul class="tiles">
          {usable.map((app) => (
            <Tile app={app} />
          ))}
        </ul>
      )}
    </section>
  )
}

const Tile = ({ app }: { app: App }) => {
  const { id, description, status } = app
  const link = getAppLink(app)
  return (
    <li class={link === null ? undefined : 'linked'}>
      {link === null ? (
        <strong>{productNames[id]}</strong>
      ) : (
        <a href={link} rel="noreferrer">
          {productNames[id]}
        </a>
      )}{' '}
      {status === 'SUSPENDED' && <span class="badge caution">Suspended</span>}
      {description !== null && (
        <span class="about">
          <bdi>{description}</bdi>
        </span>
      )}
    </li>
  )
}
