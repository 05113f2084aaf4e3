//! OpenGL without a window or display, through EGL devices, including software ones.

use super::GpuError;
use glow::HasContext as _;
use glutin::api::egl::{device::Device, display::Display};
use glutin::config::{ConfigSurfaceTypes, ConfigTemplate, ConfigTemplateBuilder};
use glutin::context::{ContextApi, ContextAttributesBuilder, Version};
use glutin::display::GlDisplay;
use std::sync::Arc;

/// A context that is current on the thread that created it while it lives.
pub struct HeadlessContext {
    gl: Arc<glow::Context>,
    context: glutin::api::egl::context::PossiblyCurrentContext,
    _display: Display,
}

impl std::fmt::Debug for HeadlessContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HeadlessContext").finish_non_exhaustive()
    }
}

impl HeadlessContext {
    /// The first device that provides an OpenGL 3.3 core context.
    ///
    /// # Errors
    /// There is none; the message says what the last device lacked.
    pub fn new() -> Result<Self, GpuError> {
        let devices = Device::query_devices()
            .map_err(|error| GpuError::NoContext(format!("EGL offers no devices ({error})")))?;
        let mut last = GpuError::NoContext("EGL has no device".to_owned());
        for device in devices {
            match Self::on(&device) {
                Ok(context) => return Ok(context),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn on(device: &Device) -> Result<Self, GpuError> {
        let refused = |error: glutin::error::Error| GpuError::NoContext(error.to_string());
        // SAFETY: no native display handle is passed that could dangle.
        let display = unsafe { Display::with_device(device, None) }.map_err(refused)?;
        let template: ConfigTemplate = ConfigTemplateBuilder::default()
            .with_surface_type(ConfigSurfaceTypes::empty())
            .build();
        // SAFETY: the display is alive.
        let config = unsafe { display.find_configs(template) }
            .map_err(refused)?
            .next()
            .ok_or_else(|| GpuError::NoContext("the device has no configuration".to_owned()))?;
        let attributes = ContextAttributesBuilder::new()
            .with_context_api(ContextApi::OpenGl(Some(Version::new(3, 3))))
            .build(None);
        // SAFETY: config and display belong together; no window handle is involved.
        let context = unsafe { display.create_context(&config, &attributes) }
            .map_err(refused)?
            .make_current_surfaceless()
            .map_err(refused)?;
        // SAFETY: the context is current, and the display resolves names for it.
        let gl = unsafe {
            glow::Context::from_loader_function_cstr(|name| display.get_proc_address(name))
        };
        Ok(Self {
            gl: Arc::new(gl),
            context,
            _display: display,
        })
    }

    #[must_use]
    pub const fn gl(&self) -> &Arc<glow::Context> {
        &self.gl
    }

    /// Makes it current again on its thread after another context was.
    ///
    /// # Errors
    /// The driver rejects it.
    pub fn make_current(&self) -> Result<(), GpuError> {
        self.context
            .make_current_surfaceless()
            .map_err(|error| GpuError::NoContext(error.to_string()))
    }

    /// Vendor, renderer and version, for logs and reports.
    #[must_use]
    pub fn description(&self) -> String {
        // SAFETY: the context is current; the names are valid.
        let text = |name| unsafe { self.gl.get_parameter_string(name) };
        format!("{}, {}", text(glow::RENDERER), text(glow::VERSION))
    }
}
