-- How each person reads times. The constant default rewrites no rows.
CREATE TYPE "DateFormat" AS ENUM ('day_month_year', 'month_day_year', 'year_month_day');

ALTER TABLE "users"
    ADD COLUMN "timezone" TEXT,
    ADD COLUMN "date_format" "DateFormat" NOT NULL DEFAULT 'day_month_year';
