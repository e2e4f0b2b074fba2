/** Returns `links` and `meta` of the envelope, written by hand for the baseline (docs/decisions/page-format.md#envelope). */
export function linksOf(path: string, parameters: readonly string[], page: number, perPage: number, count: number, total: number) {
  const last = Math.max(Math.ceil(total / perPage), 1)
  const urlPrefix = [path, [...parameters, 'page='].join('&')].join('?')
  const prev = page > 1 ? urlPrefix + (page - 1) : null
  const next = page < last ? urlPrefix + (page + 1) : null
  const from = count > 0 ? (page - 1) * perPage + 1 : null
  const pages: { url: string | null; label: string; active: boolean }[] = [{ url: prev, label: '&laquo; Previous', active: false }]
  for (const [first, end] of ranges(page, last)) {
    if (pages.length > 1) pages.push({ url: null, label: '...', active: false })
    for (let number = first; number <= end; number++)
      pages.push({ url: urlPrefix + number, label: String(number), active: number === page })
  }
  pages.push({ url: next, label: 'Next &raquo;', active: false })
  return {
    links: { first: `${urlPrefix}1`, last: urlPrefix + last, prev, next },
    meta: {
      current_page: page,
      from,
      last_page: last,
      links: pages,
      path,
      per_page: perPage,
      to: from === null ? null : from + count - 1,
      total,
    },
  }
}

/** Returns the ranges of page numbers that are listed, with gaps between them (docs/decisions/page-format.md#page-links). */
function ranges(page: number, last: number): [number, number][] {
  if (last < 14) return [[1, last]]
  if (page <= 7)
    return [
      [1, 10],
      [last - 1, last],
    ]
  if (page > last - 7)
    return [
      [1, 2],
      [last - 9, last],
    ]
  return [
    [1, 2],
    [page - 3, page + 3],
    [last - 1, last],
  ]
}
