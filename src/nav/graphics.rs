//! A pass on the graphics card if there is one, otherwise on the processor: every OpenGL pass has a
//! CPU twin.

use crate::base::Backend;
use std::fmt;

/// How the processor compares with a software renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twin {
    /// Slower: any OpenGL is used, and its absence is reported.
    Slower,
    /// Faster: software OpenGL is used only on request, and its absence is not reported if the
    /// choice was automatic.
    Faster,
}

/// Works on the thread that created it. Losing OpenGL is not a failure: the processor takes over,
/// and [`Graphics::report`] says so.
pub(super) struct Graphics<P> {
    #[cfg(feature = "gl")]
    gl: Option<(crate::gpu::HeadlessContext, P)>,
    #[cfg(not(feature = "gl"))]
    gl: std::marker::PhantomData<P>,
    /// What is made, for a sentence: “voxels were made”.
    #[cfg(feature = "gl")]
    made: &'static str,
    by: String,
    trouble: Option<String>,
}

impl<P> fmt::Debug for Graphics<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graphics").field("by", &self.by).finish()
    }
}

const PROCESSOR: &str = "the processor";

fn without(made: &str, why: &str) -> String {
    format!("{made} by the processor: {why}.")
}

impl<P> Graphics<P> {
    /// The active backend: the renderer's name, or the processor.
    pub(super) fn by(&self) -> &str {
        &self.by
    }

    /// Why the processor is used although the graphics card was requested.
    pub(super) fn report(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    #[cfg(not(feature = "gl"))]
    pub(super) fn open(backend: Backend, made: &'static str, _twin: Twin) -> Self {
        let why = "this program was built without OpenGL";
        Self {
            gl: std::marker::PhantomData,
            by: PROCESSOR.to_owned(),
            trouble: (backend == Backend::Gl).then(|| without(made, why)),
        }
    }

    /// Looks for OpenGL 3.3 without a window, unless told not to.
    #[cfg(feature = "gl")]
    pub(super) fn open(
        backend: Backend,
        made: &'static str,
        twin: Twin,
        pass: impl FnOnce(&glow::Context) -> Result<P, crate::gpu::GpuError>,
    ) -> Self {
        use crate::gpu::{HeadlessContext, is_software};
        let mut graphics = Self {
            gl: None,
            made,
            by: PROCESSOR.to_owned(),
            trouble: None,
        };
        if backend == Backend::Cpu {
            return graphics;
        }
        let is_choosy = backend == Backend::Auto && twin == Twin::Faster;
        let opened = HeadlessContext::new().and_then(|context| {
            if is_choosy && is_software(context.gl()) {
                return Ok(None);
            }
            let pass = pass(context.gl())?;
            Ok(Some((context, pass)))
        });
        match opened {
            Ok(Some((context, pass))) => {
                graphics.by = context.description();
                graphics.gl = Some((context, pass));
            }
            Ok(None) => {}
            Err(error) => {
                graphics.trouble = (!is_choosy).then(|| without(made, &error.to_string()));
            }
        }
        graphics
    }

    /// The graphics card's result; `None` if the processor must do it.
    #[cfg(feature = "gl")]
    pub(super) fn draw<T>(
        &mut self,
        draw: impl FnOnce(&glow::Context, &mut P) -> Result<T, crate::gpu::GpuError>,
    ) -> Option<T> {
        let (context, pass) = self.gl.as_mut()?;
        let drawn = context
            .make_current()
            .and_then(|()| draw(context.gl(), pass));
        match drawn {
            Ok(drawn) => Some(drawn),
            Err(error) => {
                // A context that failed once is not used again.
                self.gl = None;
                PROCESSOR.clone_into(&mut self.by);
                self.trouble = Some(without(self.made, &error.to_string()));
                None
            }
        }
    }
}
