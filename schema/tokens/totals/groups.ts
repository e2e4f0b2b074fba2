/** The values of each group of tokens, with descriptions. The statement of the totals selects their index. */
export const tokenGroups = {
  state: {
    live: 'Neither revoked nor expired.',
    expired: 'Expired, and not revoked.',
    revoked: 'Revoked, whether or not it has expired.',
  },
  age: {
    up_to_30_days: 'At most 30 days ago.',
    up_to_90_days: 'More than 30 and at most 90 days ago.',
    up_to_365_days: 'More than 90 and at most 365 days ago.',
    over_365_days: 'More than 365 days ago.',
  },
  last_use: {
    within_30_days: 'At most 30 days ago.',
    within_90_days: 'More than 30 and at most 90 days ago.',
    over_90_days: 'More than 90 days ago.',
    never: 'Never.',
  },
  expiry: {
    past: 'It has expired.',
    within_30_days: 'In less than 30 days.',
    within_90_days: 'In 30 to 90 days.',
    later: 'In 90 days or later.',
    never: 'It never expires.',
  },
}
