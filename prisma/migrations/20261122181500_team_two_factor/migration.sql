-- Owners can require two-factor authentication of all members. NULL: not required. No default, so that no row is rewritten.
ALTER TABLE "teams" ADD COLUMN "two_factor_required_at" TIMESTAMPTZ(3);
