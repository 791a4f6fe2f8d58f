//! Whether pages are shown in a browser, and in which.

use crate::error::CliError;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
#[cfg(feature = "render")]
use {
    copal_render::{RenderOptions, Renderer},
    copal_site::{PagePicture, RenderMode, Rendering},
    std::time::Duration,
};

/// How much of the look of pages is computed, and by whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum RenderChoice {
    /// Inline styles only; no script is run
    #[default]
    None,
    /// The stylesheets of the page too, without a browser: what they hide is not read; no script is run
    Css,
    /// A browser for pages that are empty without their scripts, unsure, or lack announced records
    Auto,
    /// A browser for all pages
    Chromium,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Browser")]
#[cfg_attr(not(feature = "render"), allow(dead_code))]
pub(crate) struct RenderArguments {
    /// Show pages in an installed Chromium or Chrome and read what their scripts make of them. With --follow,
    /// also scroll and press buttons like "load more"
    #[arg(long, value_enum, default_value = "none", value_name = "PAGES")]
    pub(crate) render: RenderChoice,

    /// With --render css: also fetch the stylesheets that pages link to, by the same rules as pages. Without this
    /// option only those are read that are in the page or were saved with it
    #[arg(long)]
    pub(crate) stylesheets: bool,

    /// The browser's program [default: the first one that copal doctor finds]
    #[arg(long, value_name = "FILE")]
    browser: Option<PathBuf>,

    /// Switch the browser's sandbox off, which containers without user namespaces and root need. Only for pages
    /// that you trust
    #[arg(long)]
    no_browser_sandbox: bool,

    /// With --follow: show all pages of a list in the browser. Without this option, the rest of a list is read from
    /// the JSON that the page's script loads, if that gives the records that the browser shows
    #[arg(long)]
    no_replay: bool,

    /// Write a picture of the page as the browser shows it (PNG); for one page
    #[arg(long, value_name = "FILE")]
    pub(crate) screenshot: Option<PathBuf>,
}

impl RenderArguments {
    /// Refuses a picture of several pages, or of pages that are not shown.
    pub(crate) fn check_screenshot(&self, page_count: usize) -> Result<(), CliError> {
        match &self.screenshot {
            Some(_) if !self.is_on() => {
                Err(CliError::usage("--screenshot needs --render chromium or --render auto"))
            }
            Some(_) if page_count != 1 => Err(CliError::usage("--screenshot is for one page")),
            _ => Ok(()),
        }
    }

    /// True if some page may be shown in a browser.
    pub(crate) fn is_on(&self) -> bool {
        matches!(self.render, RenderChoice::Auto | RenderChoice::Chromium)
    }

    /// True if stylesheets are read without a browser.
    pub(crate) fn reads_stylesheets(&self) -> bool {
        self.render == RenderChoice::Css
    }

    /// Refuses to fetch stylesheets that nobody reads.
    pub(crate) fn check_stylesheets(&self) -> Result<(), CliError> {
        if self.stylesheets && !self.reads_stylesheets() {
            return Err(CliError::usage("--stylesheets needs --render css"));
        }
        Ok(())
    }
}

#[cfg(feature = "render")]
impl RenderArguments {
    /// The browser, if pages are to be shown in one; `delay` is the pause between two actions on a page.
    /// `picture` receives a picture of the page.
    pub(crate) fn rendering(
        &self,
        delay: Option<Duration>,
        picture: Option<&PagePicture>,
    ) -> Result<Option<Rendering>, CliError> {
        let mode = match self.render {
            RenderChoice::None | RenderChoice::Css => return Ok(None),
            RenderChoice::Auto => RenderMode::Auto,
            RenderChoice::Chromium => RenderMode::Always,
        };
        let mut options = RenderOptions::default();
        options.browser.clone_from(&self.browser);
        options.sandbox = !self.no_browser_sandbox;
        options.images = picture.is_some();
        if let Some(delay) = delay {
            options.action_pause = delay;
        }
        let renderer = Renderer::new(options).map_err(CliError::unreadable)?;
        let mut rendering = Rendering::new(renderer, mode);
        if self.no_replay {
            rendering = rendering.without_replay();
        }
        Ok(Some(match picture {
            Some(picture) => rendering.with_picture(picture.clone()),
            None => rendering,
        }))
    }
}
